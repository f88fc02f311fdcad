/** The backend as a process: its command line, its configuration, and the parts that it is put together from. */
package dev.outpost.backend;
