/** Programs: functions that are traced once, stored on the machine, and called there by a number. */
package dev.outpost.internal.trace;
