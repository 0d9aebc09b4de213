"""How a host talks with each make of board: pure conversations between the codecs and `hal.serial_board`."""
