/** The addresses that may be called on behalf of strangers. */
package dev.outpost.channel.address;
