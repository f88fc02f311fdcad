/** The HTTP API, in OpenAI's form. */
package dev.outpost.serving.openai;
