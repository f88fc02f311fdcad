/** The backend as a process: its command line, its configuration and the assembly of its parts. */
package dev.outpost.backend;
