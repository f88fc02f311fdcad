/**
 * What ops are composed of, and the checks of their arguments.
 */
package dev.outpost.internal.ops;
