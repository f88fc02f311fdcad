/** Statistics of sessions and of the runtime. */
package dev.outpost.runtime.session.stats;
