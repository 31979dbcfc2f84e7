// Evidence: the theorem, the numbers put in, and who has checked what.
import { Card, copy, Trouble, Waiting } from "../pieces";
import type { Problem } from "../server";
import type { Evidence } from "../types";
import { count } from "../words";

export function EvidenceCard(props: { evidence: Evidence | null; error: Problem | null }) {
  const told = props.evidence;
  if (props.error) return <Card title="Evidence"><Trouble error={props.error} /></Card>;
  if (!told)
    return (
      <Card title="Evidence">
        <Waiting>The best comparator is being searched for, and the run played again.</Waiting>
      </Card>
    );
  const failed = told.audit.filter((one) => !one.holds);
  return (
    <Card title="Evidence" note={told.theorem ?? undefined} class="evidence">
      {told.theorem ? (
        <div class="formula">
          <p>{told.statement}</p>
          <ul>
            {told.measured.map((one) => (
              <li key={one.name} title={one.meaning}>{one.meaning.split(":")[0]!.length <= 12 ? one.meaning.split(":")[0] : one.name.replaceAll("_", " ")} = {one.value}</li>
            ))}
          </ul>
        </div>
      ) : (
        <p class="said">{told.why_not}</p>
      )}
      <dl>
        <dt>Claim</dt>
        <dd>
          <strong><span data-field="made">{count(told.made)}</span> made</strong>
          {told.allowed !== null && <>, <span data-field="allowed">{count(told.allowed)}</span> allowed <em>{told.kind}</em></>}
        </dd>
        {told.target && <><dt>Target</dt><dd>{told.target}</dd></>}
        {told.replayed && <><dt>Replay</dt><dd><span class="tick">✓</span> played again by the verifier, bit for bit</dd></>}
        {told.audit.length > 0 && (
          <>
            <dt>Audit</dt>
            <dd>
              {failed.length === 0 ? <span class="tick">✓</span> : <span class="cross">✕</span>}{" "}
              <details>
                <summary>{told.audit.length - failed.length} of {told.audit.length} statements hold</summary>
                <ul class="ticks">
                  {told.audit.map((one) => (
                    <li key={one.statement}>
                      <span class={one.holds ? "tick" : "cross"}>{one.holds ? "✓" : "✕"}</span> {one.statement}
                      <small> {one.holds ? `at ${count(one.places)} ${one.places === 1 ? "place" : "places"}, ${one.arithmetic}` : one.failure}</small>
                    </li>
                  ))}
                </ul>
              </details>
            </dd>
          </>
        )}
        <dt>Check it</dt>
        <dd>
          <button type="button" class="code" title="Copy all commands" onClick={() => copy(told.check.join("\n"), "Commands")}>
            <code>{told.check.at(-1)!.split(" ").slice(0, 3).join(" ")} …</code>
          </button>
        </dd>
      </dl>
    </Card>
  );
}
