/** An endpoint in OpenAI's form for a model on a machine. */
package dev.outpost.serving;
