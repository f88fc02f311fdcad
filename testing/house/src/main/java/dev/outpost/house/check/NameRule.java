package dev.outpost.house.check;

import dev.outpost.house.source.ParsedSources;
import java.util.stream.Stream;

/** A rule for names. */
interface NameRule {
    Stream<Violation> violations(ParsedSources sources);
}
