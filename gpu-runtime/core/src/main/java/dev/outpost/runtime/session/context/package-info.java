/** The context that all sessions of a runtime share: settings, limits, the clock, defects. */
package dev.outpost.runtime.session.context;
