/**
 * Sessions: what a client's frames become beside the GPU. {@link dev.outpost.runtime.session.RuntimeHost} accepts
 * connections, a {@link dev.outpost.runtime.session.Session} outlives them, its worker executes the client's messages in
 * order, and its memory returns to nothing when it ends.
 */
package dev.outpost.runtime.session;
