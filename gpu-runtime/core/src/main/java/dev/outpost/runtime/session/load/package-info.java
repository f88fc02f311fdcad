/** Values that a machine reads from sources by itself, and what of them is kept for others. */
package dev.outpost.runtime.session.load;
