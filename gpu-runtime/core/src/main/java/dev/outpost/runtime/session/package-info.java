/**
 * Sessions: they turn a client's frames into work on the engine. {@link dev.outpost.runtime.session.RuntimeHost} accepts connections. A
 * {@link dev.outpost.runtime.session.Session} outlives its connections. Its worker executes the client's messages in order, and all its
 * memory is released when it ends.
 */
package dev.outpost.runtime.session;
