/** How the runtimes of a group reach each other, and what they exchange. */
package dev.outpost.runtime.peer;
