package dev.outpost.house.check;

import dev.outpost.house.source.Declaration;
import dev.outpost.house.source.ParsedSources;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Methods that are named as a question and give no answer. */
record VoidPredicates() implements NameRule {
    private static final Pattern QUESTION = Pattern.compile("(?:is|has|can)[A-Z]\\w*");

    @Override
    public Stream<Violation> violations(ParsedSources sources) {
        return sources.files().stream()
                .flatMap(file -> file.declared(Declaration.Kind.METHOD)
                        .filter(method -> method.type().equals("void")
                                && QUESTION.matcher(method.name()).matches())
                        .map(method -> Violation.in(
                                file,
                                method.line(),
                                RuleName.PREDICATE,
                                "void " + method.name() + ": begin with the verb of what it does")));
    }
}
