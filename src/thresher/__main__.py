"""The command line as `python -m thresher`."""

from thresher.cli.main import main

if __name__ == "__main__":
    main()
