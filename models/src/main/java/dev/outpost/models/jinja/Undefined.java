package dev.outpost.models.jinja;

/** The value of a name or a member that is not there. It prints as nothing and is false; its members are errors. */
record Undefined(String name) {
    @Override
    public String toString() {
        return "";
    }
}
