"""`openai:MODEL`: any server that speaks the OpenAI API, through the OpenAI SDK."""
