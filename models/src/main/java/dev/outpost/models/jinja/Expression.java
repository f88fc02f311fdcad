package dev.outpost.models.jinja;

/** A part of a template that has a value. */
@FunctionalInterface
interface Expression {
    Object value(Variables variables);
}
