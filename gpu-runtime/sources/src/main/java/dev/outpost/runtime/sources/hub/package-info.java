/** Repositories of the Hugging Face hub, and of mirrors that answer as it does. */
package dev.outpost.runtime.sources.hub;
