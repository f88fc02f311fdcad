package dev.outpost.models.jinja;

/** A part of a template that has a value. */
@FunctionalInterface
interface JinjaExpression {
    Object value(Variables variables);
}
