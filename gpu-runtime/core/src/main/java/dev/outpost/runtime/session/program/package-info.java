/** Programs and scans: stored by slot, called by number, run many times. */
package dev.outpost.runtime.session.program;
