/** Checks requests, and answers refused ones in the form of OpenAI. */
package dev.outpost.serving.http;
