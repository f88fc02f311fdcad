/** The questions of a client about the places from which a machine reads models, and the answers. */
package dev.outpost.protocol.source;
