/** What a session has sent, received and held. */
package dev.outpost.client.stats;
