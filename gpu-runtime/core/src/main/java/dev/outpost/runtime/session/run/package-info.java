/** Runs segments: values, plans, rematerialization. */
package dev.outpost.runtime.session.run;
