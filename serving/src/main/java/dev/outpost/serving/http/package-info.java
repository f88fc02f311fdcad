/** Lets requests in, and answers refused ones in the form of OpenAI. */
package dev.outpost.serving.http;
