/** The API, in OpenAI's form. */
package dev.outpost.serving.openai;
