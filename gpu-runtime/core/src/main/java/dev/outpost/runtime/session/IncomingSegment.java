package dev.outpost.runtime.session;

import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Segment;

/**
 * A segment that came, over the session's values.
 *
 * @param segment as it came
 * @param graph its instructions, with the types of the values that go in
 */
record IncomingSegment(Segment segment, Graph graph) {}
