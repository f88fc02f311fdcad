/** The context that all sessions of a runtime share: settings, limits, the clock, internal errors. */
package dev.outpost.runtime.session.context;
