package dev.outpost.models.jinja;

/** The value of a missing name or member. It prints as nothing and is false. Access to its members fails. */
record Undefined(String name) {
    @Override
    public String toString() {
        return "";
    }
}
