/** The reports of sessions and of the runtime about themselves. */
package dev.outpost.runtime.session.stats;
