package dev.outpost.house.check;

import dev.outpost.house.source.SourceFile;

/** A name or a comment that breaks a rule. */
public record Violation(RuleName rule, String module, String path, int line, String text) {
    static Violation in(SourceFile file, int line, RuleName rule, String text) {
        return new Violation(rule, file.module(), file.path(), line, text);
    }

    @Override
    public String toString() {
        return path + ":" + line + ": " + text;
    }
}
