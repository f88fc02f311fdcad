/** What sessions and the runtime report of themselves. */
package dev.outpost.runtime.session.stats;
