/** Programs and scans: kept, called by a number, run many times. */
package dev.outpost.runtime.session.program;
