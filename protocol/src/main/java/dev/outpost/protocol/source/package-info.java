/** What a client asks a machine about the places it reads models from, and what it is told. */
package dev.outpost.protocol.source;
