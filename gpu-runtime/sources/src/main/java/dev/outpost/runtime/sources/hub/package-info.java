/** Repositories of the Hugging Face hub, and of mirrors with the same protocol. */
package dev.outpost.runtime.sources.hub;
