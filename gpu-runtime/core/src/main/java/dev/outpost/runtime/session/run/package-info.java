/** Segments as they run: values, plans, recomputation. */
package dev.outpost.runtime.session.run;
