package client

var PEP440 = pep440
