/** Values that a machine reads from sources itself, and shares between sessions. */
package dev.outpost.runtime.session.load;
