package dev.outpost.runtime.session;

import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;

/**
 * A segment that came, over the session's values.
 *
 * @param bindings which of the session's values go in and come out
 * @param graph its instructions, with the types of the values that go in
 */
record IncomingSegment(Bindings bindings, Graph graph) {}
