/**
 * Programs: functions that are traced once and run on the machine by a number.
 */
package dev.outpost.internal.trace;
