"""What each address of the service does; `app` says which address that is."""
