/** Groups of runtimes: how they connect, and what they exchange. */
package dev.outpost.runtime.peer;
