package dev.outpost.house.check;

import dev.outpost.house.source.ParsedSources;
import java.util.stream.Stream;

/** Something that names must not do. */
interface NameRule {
    Stream<Violation> violations(ParsedSources sources);
}
