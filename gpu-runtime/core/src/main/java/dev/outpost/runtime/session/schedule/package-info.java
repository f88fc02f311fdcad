/** Which session uses the engine, and for how long. */
package dev.outpost.runtime.session.schedule;
