"""`inspect:PROVIDER/MODEL`: any model of inspect_ai's providers, each through its own SDK (extra: inspect).

options         the judge's options, and the name that they make
exchange        a query as inspect's messages, an output of inspect as a reply; `interop.inspect` uses them, too
failures        exceptions of any provider's SDK as failed replies, and parameters that a request lacks
judge           `InspectJudge`

inspect_ai is imported when a judge is opened, and not before.
"""
