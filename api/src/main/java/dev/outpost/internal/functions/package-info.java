/** Functions with their own gradients; ops are composed of them. */
package dev.outpost.internal.functions;
