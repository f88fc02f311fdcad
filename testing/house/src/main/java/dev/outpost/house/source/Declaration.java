package dev.outpost.house.source;

/**
 * A name that a source declares.
 *
 * @param type the type of a variable or the return type of a method, as written, without packages and annotations. Empty if the source
 *     does not say it, and for types
 * @param owner the simple name of the type around it; empty for a top-level type
 */
public record Declaration(Kind kind, String name, String type, String owner, int line) {
    /** The kind of a declaration. */
    public enum Kind {
        TYPE,
        METHOD,
        FIELD,
        COMPONENT,
        PARAMETER,
        LOCAL,
        CAUGHT;

        /** Returns true for a declaration that has a value. */
        public boolean isVariable() {
            return this != TYPE && this != METHOD;
        }
    }

    /** Returns true for a type that is not nested. */
    public boolean isTopLevel() {
        return kind == Kind.TYPE && owner.isEmpty();
    }
}
