/** Fetches: elements that are sent to clients. */
package dev.outpost.runtime.session.fetch;
