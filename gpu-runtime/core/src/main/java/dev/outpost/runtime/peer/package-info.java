/** Groups of runtimes: connections and exchanges. */
package dev.outpost.runtime.peer;
