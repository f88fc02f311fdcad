package dev.outpost.runtime.session;

import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;

/**
 * A decoded segment, bound to values of the session.
 *
 * @param bindings ids of the session's values that are its inputs and outputs
 * @param graph its instructions, with the types of its inputs
 */
record IncomingSegment(Bindings bindings, Graph graph) {}
